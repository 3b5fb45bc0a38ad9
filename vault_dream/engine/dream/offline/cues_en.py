"""English cues, and figures, which are no language's own."""

from __future__ import annotations

from vault_dream.engine.dream.offline.cue import Against, Cue
from vault_dream.engine.dream.offline.verbs import DOING, VERB

FIGURES: tuple[Cue, ...] = (
    Cue(
        "detail",
        0.75,
        r"(?<![\w.])(?:\d+(?:[.,]\d+)?|(?:two|three|four|five|six|"
        r"seven|eight|ten|twelve|fifteen|twenty|thirty)(?= )|half "
        r"an|[一二三四五六七八九十百半两几]+个?) ?(?:g|kg|mg|mcg|ml|l|cl|dl|°|"
        r"degrees?|℃|°c|°f|c|f|min|mins|minutes?|hours?|hrs?|h|"
        r"days?|weeks?|months?|years?|s|sec|seconds?|ms|kb|mb|gb|"
        r"tb|%|cm|mm|m|km|psi|bar|rpm|cups?|tsp|tbsp|px|fps|v|w|"
        r"kw|克|千克|公斤|斤|两|毫升|升|度|分钟|小时|天|周|个月|年|秒|毫秒|厘米|毫米|米|公里|次|"
        r"倍|勺|片|粒|字|行|页|个)(?![a-z])",
    ),
    Cue("detail", 0.5, r"`[^`\n]+`"),
)
CUES: tuple[Cue, ...] = (
    Cue("steps", 1.75, r"\bfirst\b.{1,120}\b(?:then|next|after that|finally)\b"),
    Cue(
        "steps",
        2.0,
        r"^(?:how to|to) \w+ [^,:]{4,80}[,:] (?:first )?(?:" + VERB + r")\b",
    ),
    Cue("steps", 1.5, r"\bthe (?:right |best |safe |only |easiest )?(?:way|order) (?:to|is)\b"),
    Cue("steps", 1.0, r"(?:→|->|=>).{2,80}(?:→|->|=>)"),
    Cue(
        "cause",
        1.25,
        r"\b(?:root cause|the culprit|the cause|the reason) (?:was|is)\b|\bcaused by\b",
    ),
    Cue(
        "fix",
        1.25,
        r"\b(?:the )?(?:fix|solution|workaround|cure|remedy) (?:was|is)\b|\b(?:fixed|solved|"
        r"cured|resolved) (?:it )?by\b",
    ),
    Cue(
        "fix",
        1.25,
        r"\b(?:fixes|cures|solves|helps against|gets rid of|prevents) (?:it|this|that|the|a)\b",
    ),
    Cue(
        "fix",
        1.0,
        r"\b(?:fixed (?:it|this|that)|did the trick|solved (?:it|this)|cleared (?:it )?up|goes "
        r"away|went away|works again|stopped (?:\w+ing|the))\b",
    ),
    Cue(
        "rule",
        2.0,
        r"^(?:\w+[,:] |and |so )?(?:always|never) (?!mind\b|been\b|had\b|seen\b|have\b|did\b|"
        r"felt\b|knew\b|again\b)\w+",
    ),
    Cue(
        "rule",
        1.25,
        r"\b(?:must|should|to) (?:always|never|only)\b|\b(?:must|should)(?:n['’]t| not)? be "
        r"\w+(?:ed|en|t|n)\b",
    ),
    Cue(
        "rule",
        1.0,
        r"^(?:do not|don['’]t|avoid|make sure|be sure|be careful|remember to|never|no) ",
    ),
    Cue(
        "rule",
        1.25,
        r"(?:\band|,|;|: ?) (?:not|never) (?:the \w+,|on|from|in|with|the|by|at|to|before|after|"
        r"until|when|as|a|an)\b",
    ),
    Cue(
        "rule",
        1.25,
        r"\bonly (?:[a-z]+s|[a-z]+) (?:[a-z]+ )?(?:in|on|with|at|under|below|above|after|by) ",
    ),
    Cue(
        "rule",
        1.0,
        r"^(?:for|with|in|on) [^,.]{3,50}?,? (?:i|we|you|always|use|take|add|keep) (?!was|were|"
        r"had|have|am|are|will)[a-z]+(?<!ed)\b",
    ),
    Cue(
        "preference",
        1.25,
        r"^(?:the |my |our |mrs?\.? |ms\.? |dr\.? )?(?:(?-i:[A-Z][a-z]+)|client|"
        r"customer|boss|teacher|doctor|mum|mom|dad|mother|father|husband|wife|son|daughter|"
        r"partner)s?"
        r"(?: (?-i:[A-Z][a-z]+))? (?:(?:wants?|needs?) (?!an?\b|the\b|new\b|us\b|me\b|more\b|to "
        r"(?:go|buy|move|see|come|leave|talk)\b)|expects? |insists? |likes? |hates? )",
    ),
    Cue(
        "rule",
        1.25,
        r"\bwith [\w -]{3,30} only\b|^[\w -]{3,40} only (?:up|here|there|for|in|"
        r"on)\b",
    ),
    Cue("reason", 0.75, r", (?:as|for) (?:the|it|they|a|an) \w+"),
    Cue("lesson", 1.75, r"\b(?:saw|see|know|understood|understand|got) (?:now )?why\b"),
    Cue("rule", 2.0, r"\b(?:must|should|may) (?:always|never|only)\b"),
    Cue("lesson", 1.5, r"\bthe (?:book|manual|label|guide|datasheet|map|sign) (?:says|said)\b"),
    Cue("lesson", 1.25, r"\b(?:came|comes|went|goes) (?:off|out|loose|in) (?:only )?with\b"),
    Cue("contrast", 0.75, r"\b(?:did|does) nothing\b|\balone (?:did|does|is)\b"),
    Cue("preference", 1.75, r"\binsists? on\b"),
    Cue(
        "change",
        1.5,
        r"\bnow (?:comes?|goes|runs?|stands?|hangs?|belongs?|starts?|ends?|counts?|stays?)\b",
    ),
    Cue(
        "lesson",
        1.25,
        r"(?<!he )\b(?:never|always) [a-z]+s (?:\w+ ){0,4}(?:when|if|unless|until|under|below|"
        r"in)\b",
    ),
    Cue("rule", 1.25, r", so (?:" + DOING + r") .*\b(?:before|first|after)\b"),
    Cue("decision", 1.75, r"\bit was (?:resolved|decided|agreed)\b"),
    Cue("rule", 1.25, r"\bonly (?:with|from|in|on|by|against|at|for|as) "),
    Cue(
        "rule",
        1.0,
        r"^(?:if|when|whenever|once|unless) [^,]{4,80}, (?!i\b|we\b|he\b|she\b|they\b)\w+",
    ),
    Cue(
        "rule",
        1.0,
        r"[:：] (?:" + DOING + r")\b",
    ),
    Cue("rule", 1.5, r"\bonly \w+ (?:if|when|after)\b"),
    Cue("condition", 0.75, r"^(?:below|above|over|under|without|less than|more than) (?:\w+ )?\d"),
    Cue("contrast", 0.5, r"\b(?:below|above|over|under|less than|more than) \d"),
    Cue(
        "rule",
        1.5,
        r"\b(?:only works?|works? only|only (?:if|when|after)|(?:won['’]t|doesn['’]t|does not|"
        r"will not|cannot|can['’]t) \w+ (?:\w+ ){0,6}(?:unless|until|without))\b",
    ),
    Cue(
        "rule",
        1.25,
        r"(?:^|: )(?:if|when|whenever|every time|each time|before|after) [^,]{5,80}, (?:\w+ "
        r"){0,2}(?:must|should|need|needs|will|can|always|never|" + DOING + r")\b",
    ),
    Cue(
        "rule",
        1.0,
        r"\b(?:needs?|has|have) to (?:be|stay|go|come|rest|cool|dry|happen|match|sit|face)\b|"
        r"\b(?:every time|whenever)\b",
    ),
    Cue(
        "lesson",
        2.25,
        r"\b(?:lesson(?:s)? (?:learned|learnt|is|was|for)|learn(?:ed|t) (?:that|the hard way|to|"
        r"from|how)|key takeaway|note to self|rule of thumb|worth remembering|in hindsight|"
        r"moral of)\b",
    ),
    Cue(
        "lesson",
        2.0,
        r"\b(?:turns? out|turned out)[,:]? (?:that |to be |you |the |it |we |an? |my |our |"
        r"there |\w+ (?:is|are|needs?|only|can|has|do|does)\b)",
    ),
    Cue(
        "lesson",
        1.5,
        r"\bthat(?:['’]s| is| was) the (?:point|trick|thing|secret): ",
    ),
    Cue("decision", 1.5, r"\b(?:i|we) said no[:,;]|\bput (?:my|our) foot down\b"),
    Cue(
        "lesson",
        2.0,
        r"\bthe (?:trick|key|secret|point|mistake|difference) (?:\w+ ){0,3}(?:is|was)\b|\bnext "
        r"time,? \w+",
    ),
    Cue(
        "lesson",
        1.5,
        r"\b(?:figured out|found out|discovered|reali[sz]ed|noticed|it dawned|finally "
        r"understood|finally clicked) (?:that|why|how)\b|\bshould have\b",
    ),
    Cue(
        "lesson",
        1.5,
        r"\b(?:works?|worked|goes|went|does|did|helps?|lasts?|keeps?) (?:so |far |much |a lot |"
        r"way |noticeably )*(?:better|best|faster|longer|easier)\b|\bmakes? (?:all the|a (?:big|"
        r"huge|real)) difference\b|\b(?:better|easier|faster|safer|cheaper|less \w+) (?:than|"
        r"when|if)\b",
    ),
    Cue("lesson", 2.0, r"\bwhat (?:really |actually )?(?:works|worked|helps|helped)\b"),
    Cue("lesson", 1.5, r"\bfinally (?:clicked|works?|worked|understood)\b|^(?:found|got) it\b"),
    Cue("lesson", 2.0, r"^til\b"),
    Cue(
        "lesson",
        1.25,
        r"\b(?!lat|oth|rath|nev|ev|und|ov)(?:[a-z]{3,}er|more \w+|less \w+) than\b(?! (?:last|"
        r"yesterday|i (?:thought|expected|hoped)|expected|usual))",
    ),
    Cue(
        "lesson",
        1.25,
        r"\b(?:brings?|gives?|costs?|takes?|saves?|needs?|yields?|holds?|lasts?|tells?) (?:me |"
        r"you |us )?(?:\w+ )?(?:more|less|twice|half)\b",
    ),
    Cue("decision", 2.0, r"\bfrom now on\b|\bfrom here on\b|\bgoing forward\b"),
    Cue(
        "decision",
        1.5,
        r"\b(?:decided|agreed|resolved|opted|chose|chosen|settled|decision)\b(?! on (?:mon|tues|"
        r"wednes|thurs|fri|satur|sun))",
    ),
    Cue(
        "decision",
        1.5,
        r"\b(?:from now on|going forward|from here on|by default|our (?:policy|convention|rule|"
        r"standard)|the (?:policy|convention|rule|standard) is|we(?:['’]ll| will| are going to|"
        r"['’]re going to) (?:use|go with|keep|stick|switch|drop|store|write|always|only|"
        r"never))\b",
    ),
    Cue(
        "decision",
        1.25,
        r"\b(?:going with|sticking with|stick with|switched to|switching to|standardi[sz]e on|"
        r"no more)\b",
    ),
    Cue(
        "decision",
        1.5,
        r"^we (?:keep|use|store|write|name|send|build|test|ship|treat|deploy|sign|pay|take|call|"
        r"do not|don['’]t|never|always|only) ",
    ),
    Cue(
        "preference",
        2.0,
        r"\bprefer(?:s|red)?\b(?! to meet)|\b(?:preference|pet peeve)\b|\b(?:allergic|"
        r"intolerant) to\b|\ballerg(?:y|ies)\b",
    ),
    Cue(
        "preference",
        1.75,
        r"\b(?:can['’]t stand|hates?|dislikes?|(?<!you )(?:doesn['’]t|does not|don['’]t) "
        r"(?:like|want|eat|drink|enjoy|trust)|loves? (?:it when|when)|likes? (?:it|to|his|her|"
        r"their|the|when|"
        r"things))\b",
    ),
    Cue(
        "preference",
        1.75,
        r"\b(?:favou?rite|(?:is|am|are|turned|strictly) (?:a )?(?:vegetarian|vegan|coeliac|"
        r"celiac|left-handed)|birthday is|birthday:|"
        r"shoe size|blood type|works best for|best for me)\b",
    ),
    Cue(
        "preference",
        2.0,
        r"\bi (?:[a-z]+ ){0,2}(?:work|write|think|sleep|focus|concentrate|learn|read|remember|"
        r"eat|run|study)s? (?:\w+ ){0,3}(?:best|better|worse|badly)\b|\bgives? me (?:a "
        r")?(?:headaches?|migraines?|heartburn|energy)\b",
    ),
    Cue(
        "preference",
        1.75,
        r"^(?-i:(?:[A-Z][a-z]+ ){1,3})(?:only |never |always )?(?:takes|eats|drinks|wants|needs|"
        r"sleeps|reads|answers|reacts|works|wears|keeps|has)\b.*\b(?:only|never|always|best|"
        r"first|before|without|after|unless|as long as|if)\b",
    ),
    Cue(
        "definition",
        2.0,
        r"\b(?:is|are) defined as\b|\bis short for\b|\bstands for\b|\brefers to\b|\bthe "
        r"difference between\b|\bin other words\b|^(?!(?:this|that|it|which|what|he|she|"
        r"they)\b)(?:[\w'-]+ ){1,4}means (?!i\b|we\b|to\b)|\b(?:is|are) called\b",
    ),
    Cue(
        "definition",
        1.25,
        r"\b(?:in|for|with) [^.]{3,40},? (?:it|this|that) means (?!i\b|we\b|to\b)",
    ),
    Cue("decision", 2.0, r"\b(?:decided|agreed|settled) (?:that|on having|on the)\b"),
    Cue(
        "definition",
        1.25,
        r"^(?!(?:the (?:day|week|meeting|weather|rest|kids)|this|that|there|it|he|she|we|they|"
        r"you|i|my|our|his|her|their|your|what|today|tonight|tomorrow|dinner|lunch|breakfast|"
        r"work|one)\b)(?:[\w'’-]+ ){1,5}(?:is|are) (?:an?|the \w+|any|when|how|what|where) "
        r"(?:[\w'-]+ ){0,8}(?:that|which|where|when|who|used|between|of|for|by|with|in)\b",
    ),
    Cue(
        "definition",
        1.5,
        r"\b(?:works|happens|forms|grows|breaks) (?:by \w+ing|because|when|in (?:two|three|"
        r"four) )|^(?:[\w'’-]+ ){1,5}(?:measures?|describes?|controls?|determines?|guarantees?|"
        r"prevents?|reduces?|increases?|converts?|raises?|lowers?|weakens?|strengthens?) "
        r"(?:the |how |a |an )?\w+",
    ),
    Cue(
        "change",
        2.0,
        r"\bno longer\b|\b(?:doesn['’]t|isn['’]t|aren['’]t|don['’]t|not) (?:\w+ ){1,5}any "
        r"?more\b|\bused to (?:be )?.{3,60}\b(?:now|but)\b",
    ),
    Cue(
        "change",
        1.5,
        r"\b(?:has|have|was|were|got|is|are)? ?(?:moved|changed|renamed|replaced|increased|"
        r"raised|lowered|reduced|extended|switched) (?:\w+ ){0,4}(?:from|to|by|with) ",
    ),
    Cue(
        "change",
        1.0,
        r"\b(?<!it )(?<!that )(?<!this )(?<!everything )(?:is|are|opens?|closes?|costs?|takes?|"
        r"lives?|works?|uses?) now\b|\bnow (?:is|are|requires?|needs?|takes?|costs?|uses?|"
        r"lives?|works?|opens?|closes?|lasts?|defaults?)\b|\bas of (?:now|this|v?\d|jan|feb|mar|"
        r"apr|may|jun|jul|aug|sep|oct|nov|dec|\d)",
    ),
    Cue("change", 1.25, r"\binstead of\b|\bno need (?:to|for)\b"),
    Cue(
        "reason",
        0.75,
        r"\b(?:because|otherwise|or else|so that|which means|that['’]s why|which is why|since "
        r"(?:it|the|they|we|you|a|an)|(?<=, )so (?!far|much|many|i\b|we\b)\w+|"
        r"so (?:a|an|if|the|it|they|that|you|we|nobody|nothing|no|"
        r"each|always|never|"
        + DOING
        + r"|\w+ing|\w+s (?:must|have|need))|to avoid|to keep|to prevent|in order to|or "
        r"(?:the(?! (?:same|other|next|last))|it|"
        r"they|you))\b",
    ),
    Cue(
        "condition",
        0.75,
        r"\b(?:if|when|unless|until|once|whenever|as soon as|as long as) (?!i was|we were|i had|"
        r"he |she |i got|we got|will\b)\w+",
    ),
    Cue(
        "modality",
        0.75,
        r"\b(?:has to|have to|needs? to be|must|can['’]?t|cannot|can only|may not|not allowed|"
        r"does(?:n['’]t| not)|do(?:n['’]t| not)|is needed|are needed|is enough|are enough|"
        r"(?<!\bi )(?<!\bwe )should(?! have))\b",
    ),
    Cue("contrast", 0.75, r"\bnot \w.{2,50}\bbut (?:when|if|the|in|on|with|by|because|from|at)\b"),
    Cue("contrast", 0.5, r"\beven (?:the|a|an|when|if|in|one|after)\b"),
    Cue(
        "decision",
        1.5,
        r"\bfrom (?:tomorrow|monday|next \w+|this \w+|january|the first)(?: on\b|,)",
    ),
    Cue(
        "contrast",
        0.5,
        r"; |\brather than\b|, not \w|\band not\b|\bbut not\b|\bonly\b|\bjust (?:makes?|gets?|"
        r"moves?|turns?)\b|\binstead\b|\bat least\b|\bat most\b|\bthemselves\b|\bitself\b",
    ),
)
AGAINST: tuple[Against, ...] = (
    Against(2.0, r"\b(?:tonight|(?<!from )tomorrow|(?<!from )next (?:week|month|weekend))\b"),
    Against(
        1.0,
        r"\b(?:yesterday|this (?:morning|afternoon|evening|week|weekend|month)|last (?:night|"
        r"week|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|next "
        r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|year)|later today|right "
        r"now|at the moment|for (?:dinner|lunch|breakfast|now|the weekend))\b",
    ),
    Against(
        1.5,
        r"\b(?:moved|postponed|changed|shifted|rescheduled|brought forward) (?:from .{3,20} "
        r")?to (?:(?:next|this) )?(?:mon|tues|wednes|thurs|fri|satur|sun|\d|tomorrow|the \d)|"
        r"\b(?:instead of|rather than) (?:mon|tues|wednes|thurs|fri|satur|sun)day",
    ),
    Against(
        0.5,
        r"\btoday\b|\b(?:on|by|until|before) (?:mon|tues|wednes|thurs|fri|satur|sun)day(?! ?s| "
        r"(?:evening|morning)s)\b|\bat \d{1,2}(?!\d?[:.]\d\d: )(?:[:.]\d\d)? ?(?:am|pm)?\b(?!: )",
    ),
    Against(
        1.0,
        r"\b(?:maybe|perhaps|not sure|no idea|probably|wonder(?:ing)?|i (?:think|guess|suppose|"
        r"hope|wish)|apparently|supposedly|possibly|could be|hopefully|might be|might have|"
        r"seems like|we['’]ll see|if i ever)\b",
    ),
    Against(
        1.0,
        r"\b(?:tired|exhausted|happy|sad|anxious|excited|grateful|lonely|cried|crying|stressed|"
        r"overwhelmed|annoyed|angry|lovely|wonderful|awful|terrible day|great day|good day|bad "
        r"day|fun|laughed|mood|proud|guilty|miss(?:ed)? (?:her|him|them|you)|love(?:d)? (?:her|"
        r"him|it|this|that)|beautiful)\b",
    ),
    Against(
        1.0,
        r"\b(?:heard (?:that|from)|rumou?rs?|gossip|is dating|broke up|got engaged|told me "
        r"(?:that )?(?:he|she|they)|says (?:that )?(?:i|we|you|he|she|they))\b",
    ),
    Against(
        1.0,
        r"(?:^|\band |\bso |\bbut )(?:i|we|i['’]ll|we['’]ll|i['’]m|we['’]re)\b ?(?:will |am |"
        r"are )?(?:going to (?:the|see|meet|visit|buy|try|have)|want to|plan(?:ning)? to|need "
        r"to|have to|hope to|would like|['’]d like|must|should|ought to|might)\b",
    ),
    Against(1.0, r"\b(?:i|we|he|she|they)(?: will|['’]ll) (?!not need|never|always|only)"),
    Against(0.75, r"^(?:need|have|want|got|going|plan) to\b|^(?:should|must) \w+"),
    Against(
        0.75,
        r"\b(?:i|we|he|she|they) (?:\w+ly )?(?:went|got|did|saw|met|ate|had|came|left|bought|"
        r"drove|walked|watched|called|talked|played|visited|slept|woke|spent|forgot|lost|ran|"
        r"cooked|cleaned|arrived|texted|sat|stayed|waited)\b",
    ),
    Against(
        1.5,
        r"\brealised?z?e?d? (?:that )?(?:i|we) (?:had |have |'ve )?(?:left|forgot|forgotten|"
        r"missed|was|were|am)\b|\b(?:decided|agreed|chose) (?:to|on|not to) (?:go|meet|stay|"
        r"leave|eat|order|watch|skip|take (?:the|a) (?:bus|train|walk|day|nap)|have|get|call|"
        r"walk|sleep|postpone|cancel|visit|catch|grab|wait)\b",
    ),
    Against(0.5, r"!\s*$"),
    Against(
        2.0,
        r"^(?:always|ever|just) the same\b|\bthe same (?:old )?(?:story|thing) (?:again|"
        r"every time)\b",
    ),
    Against(1.5, r"\bwas\b.*\ball along\b|\bwere\b.*\ball along\b"),
    Against(
        2.5,
        r"^(?:don['’]t forget|remember|reminder|nb|note to self)\b.*\b(?:(?:mon|tues|wednes|thurs|"
        r"fri|satur|sun)day|\d{1,2}[:.]\d\d|\d{1,2} ?(?:am|pm)|o['’]clock)\b(?!.*\b(?:every|each|"
        r"always|never|before|after)\b)",
    ),
    Against(0.75, r"^(?:couldn['’]t|didn['’]t|wasn['’]t|hadn['’]t|got|felt|slept|woke)\b"),
    Against(
        1.5,
        r"\b(?:somebody|someone|people|an? (?:old |young )?(?:man|woman|guy|friend|neighbour)) "
        r"(?:told me|says?|said) (?:that )?",
    ),
    Against(
        1.5,
        r"^(?!i\b|we\b)(?:the )?[\w'’.-]+(?: [\w'’.-]+)? (?:had )?(?:wanted|suggested|proposed|"
        r"offered|"
        r"would have|was (?:all )?for|voted for|asked (?:for|whether|if)|tried to|kept saying|"
        r"argued)\b",
    ),
    Against(
        2.0,
        r"\b(?:i remember (?:how|when|the (?:time|day)|my|our|him|her|old)\b|used to (?:say|"
        r"tell)|always said|when i was|years ago|in the "
        r"old days|back "
        r"(?:in|then)|as a (?:child|boy|girl|student)|old (?:rule|saying|proverb)|as they say|"
        r"in his "
        r"day|in her day)\b",
    ),
    Against(
        1.25,
        r"^(?:it|that) was(?:n['’]t| not) the\b|\bwe had tried\b|\bdid(?:n['’]t| not) (?:help|"
        r"work)\b(?!.*"
        r"\b(?:but|until|so)\b)|\bmade no difference\b",
    ),
    Against(
        1.5,
        r"\b(?:says?|said|thinks?|believes?|claims?|reckons?)(?: that)? (?:people|owners|most|"
        r"everyone|"
        r"everybody|nobody|young|men|women|parents|students|customers|he|she|they|i|we)\b",
    ),
    Against(
        1.0,
        r"\b(?:start|starts|begin|begins|due|on|by|until) (?:the )?\d{1,2}(?:st|nd|rd|th)?\.? "
        r"(?:jan|feb|mar|"
        r"apr|may|june?|july?|aug|sep|oct|nov|dec)",
    ),
)
