"""The dream: steps, drafts, proposals and checks."""
