"""English verbs that advice and steps begin with, and those that errands begin with."""

from __future__ import annotations

VERBS = frozenset(
    """
    add adjust aim allow apply archive ask assign attach avoid bake balance begin block boil
    braid break breathe brew bring brush build bundle bury buy call cancel cap carve change charge
    check chill choose chop clamp clean clear click clip close coat collect combine commit compare
    confirm connect cook cool copy cover create cross crush cut deadhead decant define degrease
    delay delete deploy describe detach dig dilute disable discard disconnect dissolve divide do
    double drain draw drink drop dry dust edit empty enable ensure enter explain export extend
    feed fill filter find finish flatten flip flush fold follow force freeze fry give glue grate
    grease grind grow hammer hand hang harvest heat hide hire hold ignore import insert install
    invert invoice iron isolate join keep knead kneel knock label lay leave let lift limit line
    list listen load lock log look loosen lower lubricate make marinate mark mask measure melt
    merge mist mix mount move mow multiply name negotiate note number offer oil omit open order
    pack paint park patch pause peel photograph pick pin place plan plant plug point polish
    postpone pot pour practice practise prefer preheat prepare press prick prime proof protect
    prune pull push put question quote raise rank reach read rebase rebuild record reduce refill
    refuse reheat relax release relight reload remember remove rename repeat replace reply report
    repot reserve reset respond rest restart restore retry return reuse review reward rewrite
    rinse roast roll rotate rub run sand sanitise save scan schedule scrape screw seal season seed
    select send separate serve set shake shift shorten show shred shut sign simmer sit sketch skip
    sleep slice slide slow smoke soak sort sow speak split spoon spray spread sprinkle squeeze
    stack stage stand start steam sterilise stick stir stop store strain stretch strip submit
    summarise support swap sweep swim switch tag take tap tape teach tell test thank thaw thin
    throw tie tighten tilt tip title toast toggle top touch trace train transfer translate
    transplant treat trim trust try turn type unplug unscrew untie update upgrade use vacuum vent
    ventilate verify wait walk warm wash watch water wear weigh wind wipe wire withdraw wrap write
    """.split()  # noqa: SIM905
)
ERRANDS = frozenset(
    """
    ask book buy call cancel email finish invite invoice mail message order pay phone pick ping plan
    prepare print renew reply return review ring schedule send ship sign submit text visit
    """.split()  # noqa: SIM905
)
VERB = "|".join(sorted(VERBS))
"""All of them as the inside of a pattern's group."""
DOING = "|".join(sorted(VERBS - ERRANDS))
"""The same without errands."""
