"""The Textual app: shows session state and sends decisions."""
