"""Words that people use for one another when they tell a thing a second time.

A short list of everyday synonyms in English and Chinese: the commonest, of every walk of life, so
that "ring Mum" and "phone Mother" are about one thing. It is no thesaurus. A word stands in one
group only, and groups hold words that replace each other, not words of one field.
"""

from __future__ import annotations

from functools import cache

from vault_dream.engine.digest.stems import stem

_ENGLISH = """
phone telephone call ring mobile
message text note memo
mail email letter
doctor dr physician gp
medicine drug medication
tablet pill
child kid
baby infant newborn
mother mum mom mama
father dad papa
grandmother gran grandma granny nan
grandfather grandpa grandad
husband spouse wife partner
teacher tutor instructor
pupil student learner
class lesson course
lecture talk presentation
boss manager chief
colleague coworker workmate
customer client
shop store
firm company business
meeting appointment session
job work task
salary pay wage
price cost
bill invoice
buy purchase
sell sale
money cash funds
cheap inexpensive
begin start commence
end finish stop complete
close shut
open unlock
fix repair mend
break crack snap
check inspect verify examine
look watch see
hear listen
speak say tell
ask request
answer reply respond
explain clarify
learn study
teach train
remember recall
forget miss
show display
hide conceal
give hand pass
take grab
bring fetch carry
keep hold retain
throw discard
remove delete erase
add append
change alter modify
swap switch replace exchange
raise increase lift
lower reduce decrease
help assist
need require
want wish
like enjoy love
dislike hate
prefer favour
fear afraid scared
angry cross furious
glad happy pleased
sad unhappy
tired exhausted
ill sick unwell
pain ache hurt
asleep sleep nod doze nap
awake wake
night overnight
morning early
quick fast rapid
slow gradual
big large
small little
long lengthy
quiet silence silent
loud noisy
hot warm
cold chill cool
wet damp moist
clean wash
dirty soiled
soft gentle
easy simple
difficult tricky
light lamp
corridor hall hallway passage
sofa couch
stove oven hob
tap faucet
rubbish trash garbage
road street
journey trip travel
luggage suitcase baggage
holiday vacation
garden yard
picture photo photograph image
film movie
concert gig
practise practice rehearse rehearsal
pace tempo speed
computer laptop pc
internet web wifi
router modem
error bug fault
crash outage
server host
deploy release ship
rollback revert
backup copy
folder directory
file document
ticket issue
password passphrase
test trial
build compile
review inspection
glue adhesive
timber wood
meal dinner
bread loaf
coffee espresso caffeine
biscuit cookie
salt season
fridge refrigerator
freeze freezer
stir mix blend
taste flavour
smell odour scent
dose dosage
wound injury
bandage dressing
fever temperature
run jog
walk stroll
exercise workout
inside within
outside outdoors
half halve
twice double
cause trigger bring
meal table
"""

_CHINESE = """
妈妈 母亲 老妈
爸爸 父亲 老爸
奶奶 祖母
爷爷 祖父
外婆 姥姥
外公 姥爷
孩子 小孩 娃娃
医生 大夫
老师 教师
学生 学员
客户 顾客 客人
老板 领导
同事 伙伴
电话 手机
电脑 计算机
早上 早晨 清晨
晚上 夜里 夜晚
中午 午间
小时 钟头
开始 动手
结束 完成
检查 核对 核查
修改 更改 调整
喜欢 爱好
讨厌 反感
害怕 恐惧
着急 焦急
疲惫 劳累
生病 患病
吃药 服药
餐馆 饭店
厨房 灶间
冰箱 冷柜
土豆 马铃薯
番茄 西红柿
自行车 单车
公交 巴士
马上 立刻
经常 时常
回缩 缩回
icu 重症
mr pr 合并
"""


def one_word(term: str) -> str:
    """The word that stands for ``term``, a stem, and all its synonyms; ``term`` where it has
    none."""
    return _groups().get(term, term)


@cache
def _groups() -> dict[str, str]:
    found: dict[str, str] = {}
    for line in (*_ENGLISH.strip().splitlines(), *_CHINESE.strip().splitlines()):
        first, *others = map(stem, line.split())
        for word in (first, *others):
            found.setdefault(word, found.get(first, first))
    return found
