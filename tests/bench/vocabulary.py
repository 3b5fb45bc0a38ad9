# ruff: noqa: E501 - word lists
"""Two worlds of words for the vault generator; they share nothing but everyday English.

``WORKSHOP`` (software operations) is what ranking and thresholds were tuned on; ``HOUSEHOLD``
(kitchen, garden, bicycles, music) is what is reported. Verbs are ``base/past/gerund/synonym``,
nouns ``one/many/synonym``.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class World:
    name: str
    verbs: tuple[tuple[str, ...], ...]
    objects: tuple[tuple[str, ...], ...]
    systems: tuple[str, ...]
    places: tuple[str, ...]
    failures: tuple[tuple[str, ...], ...]
    causes: tuple[str, ...]
    things: tuple[str, ...]
    traits: tuple[str, ...]
    values: tuple[str, ...]
    tastes: tuple[str, ...]
    fillers: tuple[str, ...]
    syllables: tuple[str, ...]
    verbs_zh: tuple[str, ...]
    objects_zh: tuple[str, ...]
    systems_zh: tuple[str, ...]
    places_zh: tuple[str, ...]
    causes_zh: tuple[str, ...]
    fillers_zh: tuple[str, ...]


def _rows(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(row.strip().split("/")) for row in text.replace("\n", ",").split(",") if row)


def _list(text: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in text.replace("\n", ",").split(",") if one.strip())


WORKSHOP = World(
    name="workshop",
    verbs=_rows(
        "rotate/rotated/rotating/renew,rebuild/rebuilt/rebuilding/regenerate,restore/restored/restoring/recover\n"
        "migrate/migrated/migrating/move,throttle/throttled/throttling/limit,archive/archived/archiving/retire\n"
        "validate/validated/validating/check,deploy/deployed/deploying/release,patch/patched/patching/mend\n"
        "shrink/shrank/shrinking/reduce,encrypt/encrypted/encrypting/seal,profile/profiled/profiling/measure\n"
        "replicate/replicated/replicating/mirror,drain/drained/draining/empty,freeze/froze/freezing/halt\n"
        "rename/renamed/renaming/relabel,import/imported/importing/load,export/exported/exporting/dump\n"
        "purge/purged/purging/delete,inspect/inspected/inspecting/examine,schedule/scheduled/scheduling/plan\n"
        "split/split/splitting/divide,merge/merged/merging/combine,warm/warmed/warming/preheat\n"
        "audit/audited/auditing/review,compress/compressed/compressing/pack,upgrade/upgraded/upgrading/raise\n"
        "disable/disabled/disabling/deactivate,monitor/monitored/monitoring/watch,seed/seeded/seeding/populate"
    ),
    objects=_rows(
        "credential/credentials/secret,index/indices/lookup table,snapshot/snapshots/backup,queue/queues/backlog\n"
        "replica/replicas/standby,certificate/certificates/cert,schema/schemas/layout,cache/caches/buffer\n"
        "webhook/webhooks/callback,dashboard/dashboards/panel,partition/partitions/shard,token/tokens/key\n"
        "pipeline/pipelines/workflow,container/containers/pod,firewall rule/firewall rules/packet filter\n"
        "log stream/log streams/journal,feature flag/feature flags/toggle,load balancer/load balancers/proxy\n"
        "alert/alerts/notification,volume/volumes/disk,session store/session stores/login state\n"
        "mailbox/mailboxes/inbox,invoice batch/invoice batches/billing run,search filter/search filters/query\n"
        "test fixture/test fixtures/sample data,build artifact/build artifacts/binary,permission/permissions/grant\n"
        "rate limit/rate limits/quota,endpoint/endpoints/route,worker/workers/consumer,thread pool/thread pools/executor\n"
        "connection/connections/link,template/templates/boilerplate,report/reports/summary,domain/domains/hostname\n"
        "bucket/buckets/blob store,checkpoint/checkpoints/savepoint,retry policy/retry policies/backoff\n"
        "memory leak/memory leaks/growing heap,timeout/timeouts/deadline"
    ),
    systems=_list(
        "Postgres,Redis,Kafka,Nginx,Elasticsearch,RabbitMQ,Grafana,Jenkins,Terraform,Kubernetes,MySQL,MongoDB,Cassandra\n"
        "Vault,Consul,Prometheus,Airflow,Spark,Sentry,GitLab,Keycloak,HAProxy,Traefik,Memcached,ClickHouse,SQLite,Ansible\n"
        "Celery,Django,Envoy,Fluentd,Harbor,InfluxDB,Jaeger,Loki,MinIO,NATS,OpenSearch,Pulsar,Rook,Solr,Tempo,Varnish,Zookeeper\n"
        "Snowflake,Databricks,Stripe,Twilio,Zendesk,Salesforce"
    ),
    places=_list(
        "on staging,in production,before the release,after a failover,during the night shift,for the mobile team\n"
        "in the Frankfurt region,on the laptop,for the billing service,on the edge nodes,in the sandbox,for partners\n"
        "after a schema change,under heavy traffic,behind the VPN,on ARM machines,for the audit,in the old cluster\n"
        "during onboarding,without downtime,from the command line,with a read-only account,over the weekend\n"
        "for the German tenant,in the integration tests"
    ),
    failures=_rows(
        "stalls/stalled/hangs,drifts/drifted/goes out of step,leaks/leaked/grows without end\n"
        "times out/timed out/never answers,doubles/doubled/appears twice,corrupts/corrupted/gets damaged\n"
        "flaps/flapped/goes up and down,lags/lagged/falls behind,vanishes/vanished/disappears,overflows/overflowed/fills up"
    ),
    causes=_list(
        "the clock was two minutes off,a stale lock file remained,the migration ran twice,the DNS entry was cached\n"
        "the default pool is too small,an old client kept polling,the checksum was never compared,the disk was almost full\n"
        "the header was dropped by the proxy,the role lacked a grant,two jobs shared a name,the retry had no jitter\n"
        "the config was read only at boot,the compaction never finished,the certificate chain was incomplete\n"
        "the batch exceeded the limit,a cron entry used local time,the driver silently truncates,the secret had a newline\n"
        "the health check lied"
    ),
    things=_list(
        "dry run,rollback,canary,restart,handover,postmortem,runbook,spreadsheet,ticket,checklist,script,cron job,change window\n"
        "diff,smoke test,pull request,screenshot,warning,metric,counter,socket,kernel flag,branch,sidecar,migration"
    ),
    traits=_list(
        "slow,quiet,brittle,surprising,manual,nightly,expensive,half-finished,noisy,idempotent,undocumented,cautious\n"
        "parallel,staged,partial,read-only,hidden,legacy,minimal,verbose"
    ),
    values=_list(
        "purple,cyan,dark mode,light mode,tabs,four spaces,vim keys,emacs keys,short names,long names,squash merges\n"
        "merge commits,early mornings,late evenings,weekly summaries,daily summaries,green tea,black coffee"
    ),
    tastes=_list("terminal colour,editor setting,naming style,meeting time,commit habit,report rhythm,drink,theme"),
    fillers=_list(
        "Write down who was on call and what they saw first,Nothing else was changed that afternoon\n"
        "The numbers in the ticket were rounded,Ask the platform group before touching shared settings\n"
        "It is easier when two people look at the same screen,The first attempt looked fine for about an hour\n"
        "Keep the old version around for a week,Readers of the page wanted fewer steps and more reasons\n"
        "The monitoring page shows this with a delay,Somebody had tried the same thing last spring\n"
        "A short message to the channel saves many questions,The documentation describes only the happy path\n"
        "Check the output by hand the first time,Customers did not notice anything\n"
        "The command prints a lot that can be ignored,This was agreed in the planning meeting\n"
        "The cost was small compared with the outage,Prefer the boring way here,We measured before and after\n"
        "Permissions were the usual trouble,There is a second page with the long story\n"
        "The vendor confirmed it by mail,Remember to close the ticket afterwards,A reboot hides the symptom only"
    ),
    syllables=_list("mar,kes,tor,vin,bel,dra,lon,quil,ser,hav,nim,por,gal,rud,fen,ost,tam,wick,ley,brin"),
    verbs_zh=_list("重建,恢复,迁移,限制,归档,校验,部署,修补,压缩,加密,复制,清空,冻结,导入,导出,检查,拆分,合并,升级,停用"),
    objects_zh=_list("索引,快照,队列,证书,缓存,分区,令牌,容器,日志,告警,磁盘,会话,权限,接口,线程池,模板,报表,域名,存储桶,检查点"),
    systems_zh=_list("订单系统,支付网关,搜索服务,用户中心,库存平台,消息总线,推荐引擎,数据仓库,监控平台,客服系统,物流后台,登录服务,广告投放,风控模块,内容审核"),
    places_zh=_list("上线之前,故障切换后,夜间值班时,测试环境里,流量高峰期,周末维护时,新机房中,只读账号下,灰度阶段,跨区同步时,月底结算前,权限收紧后"),
    causes_zh=_list("时钟慢了两分钟,残留了旧的锁文件,迁移脚本跑了两遍,解析记录被缓存,连接池默认太小,磁盘快要写满,代理丢掉了请求头,角色缺少授权,两个任务重名,重试没有抖动"),
    fillers_zh=_list("第一次操作时请手工核对输出,旧版本保留一周再删除,这件事在周会上讨论过,客户没有察觉任何异常,文档只写了顺利的情况,先在群里说一声可以省去很多问题,成本比停机小得多,供应商来信确认了这一点"),
)  # fmt: skip

HOUSEHOLD = World(
    name="household",
    verbs=_rows(
        "knead/kneaded/kneading/work,prune/pruned/pruning/trim,simmer/simmered/simmering/cook gently\n"
        "sharpen/sharpened/sharpening/hone,tune/tuned/tuning/adjust,graft/grafted/grafting/join\n"
        "ferment/fermented/fermenting/culture,polish/polished/polishing/buff,weave/wove/weaving/plait\n"
        "transplant/transplanted/transplanting/repot,dry/dried/drying/dehydrate,sand/sanded/sanding/smooth\n"
        "grease/greased/greasing/lubricate,glue/glued/gluing/bond,soak/soaked/soaking/steep,roast/roasted/roasting/bake\n"
        "mulch/mulched/mulching/cover,rehearse/rehearsed/rehearsing/practise,restring/restrung/restringing/replace\n"
        "store/stored/storing/keep,clean/cleaned/cleaning/wash,dye/dyed/dyeing/tint,fold/folded/folding/crease\n"
        "mix/mixed/mixing/blend,measure/measured/measuring/gauge,sow/sowed/sowing/plant,repair/repaired/repairing/fix\n"
        "paint/painted/painting/coat,harvest/harvested/harvesting/gather,season/seasoned/seasoning/flavour"
    ),
    objects=_rows(
        "dough/doughs/paste,hedge/hedges/shrub,broth/broths/stock,knife/knives/blade,string/strings/wire\n"
        "branch/branches/bough,cabbage/cabbages/kraut,handle/handles/grip,basket/baskets/hamper,seedling/seedlings/sprout\n"
        "mushroom/mushrooms/fungus,shelf/shelves/rack,chain/chains/drivetrain,joint/joints/seam,bean/beans/pulse\n"
        "almond/almonds/nut,flower bed/flower beds/border,duet/duets/piece,bow/bows/stick,loaf/loaves/bread\n"
        "window/windows/pane,scarf/scarves/shawl,napkin/napkins/cloth,batter/batters/mixture,room/rooms/chamber\n"
        "tomato/tomatoes/nightshade,fence/fences/railing,wall/walls/partition,berry/berries/fruit,stew/stews/casserole\n"
        "brake pad/brake pads/stopper,water barrel/water barrels/cistern,apron/aprons/smock,marmalade/marmalades/preserve\n"
        "compost heap/compost heaps/humus pile,saddle/saddles/seat,sourdough starter/sourdough starters/leaven\n"
        "lampshade/lampshades/screen,drawer/drawers/compartment,kettle/kettles/pot"
    ),
    systems=_list(
        "Aunt Greta,the allotment,Bakelite,Rosewood,Sheffield steel,Castile,Damask,Elderflower,Fennel,Ginger,Hazel,Juniper,Kohlrabi\n"
        "Lavender,Marjoram,Nutmeg,Oregano,Parsnip,Quince,Rhubarb,Saffron,Tarragon,Umbria,Vermouth,Walnut,Xylophone,Yarrow,Zinnia\n"
        "Bianchi,Campagnolo,Brompton,Shimano,Steinway,Yamaha,Stradivari,Le Creuset,Opinel,Velcro,Linoleum,Terracotta,Porcelain\n"
        "Mohair,Merino,Bamboo,Rattan,Cork,Beeswax,Turpentine,Linseed,Indigo"
    ),
    places=_list(
        "in the cellar,before the first frost,on a rainy Sunday,for the village fair,with cold hands,at the lake house\n"
        "after the summer,in a tiny kitchen,for twelve guests,on the balcony,without electricity,by candlelight\n"
        "for the school choir,in the greenhouse,under the stairs,with the children,during Lent,on the north side\n"
        "from a single bag,in the caravan,for the neighbours,at high altitude,over an open fire,in hard water\n"
        "for the grandparents"
    ),
    failures=_rows(
        "curdles/curdled/separates,warps/warped/bends out of shape,wilts/wilted/droops,squeaks/squeaked/makes a noise\n"
        "cracks/cracked/splits open,fades/faded/loses its colour,sticks/stuck/will not come off,rots/rotted/goes bad\n"
        "collapses/collapsed/sinks in the middle,rattles/rattled/shakes loose"
    ),
    causes=_list(
        "the oven door was opened early,the soil never dried out,the scale showed ounces,the varnish needed two days\n"
        "the yeast had expired,a cable rubbed against the frame,the sun comes round at four,the salt went in too late\n"
        "the thread ran against the grain,the lid did not close,the previous owner used paint,the humidity dropped at night\n"
        "the spoke key was one size off,the milk was too warm,mice had been in the shed,the metronome was set wrong\n"
        "the glue was meant for paper,the drain hole was blocked,the pegs had swollen,nobody turned it over"
    ),
    things=_list(
        "second rinse,wooden spoon,tape mark,old towel,jam jar,pencil line,notebook,postcard,string of garlic,borrowed ladder\n"
        "blue bucket,practice sheet,cold frame,bread knife,tea strainer,torch,paper bag,rubber band,thermometer,whetstone\n"
        "hose clip,cushion,door stop,clothes peg,tuning fork"
    ),
    traits=_list(
        "patient,crooked,sticky,fragrant,wobbly,generous,thrifty,crumbly,lukewarm,stubborn,hand-made,dusty,borrowed\n"
        "left-handed,moth-eaten,tart,sturdy,shallow,rusty,silky"
    ),
    values=_list(
        "turquoise,scarlet,oat milk,whole milk,window seats,aisle seats,waltzes,marches,thick socks,bare feet,paper lists\n"
        "wall calendars,rye bread,white bread,cold showers,hot baths,gravel roads,forest paths"
    ),
    tastes=_list("paint shade,breakfast habit,train seat,dance music,winter clothing,planning tool,evening routine,walk"),
    fillers=_list(
        "It took most of the afternoon and two cups of tea,Grandmother did it differently and was right as well\n"
        "The smell tells you more than the clock,Put newspaper on the table first,Leave it alone overnight\n"
        "The shop in town sells smaller packets now,A photograph of the finished thing hangs in the hall\n"
        "Do not hurry the middle part,It was cheaper than buying a new one,The book says otherwise\n"
        "Everybody wanted to try it at once,Listen for the sound to change,Half of the quantity is enough for us\n"
        "We laughed about it later,Write the date on a label,The cat must stay outside meanwhile\n"
        "Good light is half of the work,The radio played the whole time,Warm hands make it harder\n"
        "It keeps for about a month,The colour deepens with age,There was a little left over for the freezer\n"
        "Visitors always ask about it,Next year we start a week earlier"
    ),
    syllables=_list("ani,bo,cel,du,eli,fra,gio,hen,ira,jo,kat,lu,mo,nel,oli,pia,ru,sve,tilde,ulm"),
    verbs_zh=_list("揉捏,修剪,慢炖,磨快,调音,嫁接,发酵,抛光,编织,移栽,晾干,打磨,上油,粘合,浸泡,烘烤,覆盖,排练,收藏,清洗"),
    objects_zh=_list("面团,树篱,高汤,菜刀,琴弦,枝条,白菜,把手,篮子,幼苗,蘑菇,书架,链条,围巾,豆子,杏仁,花坛,琴弓,窗户,果酱"),
    systems_zh=_list("外婆家,阳台菜园,乡下老屋,社区厨房,儿童房间,露营车上,湖边小屋,学校合唱团,手工教室,旧自行车,钢琴教室,玻璃温室,地下储藏室,周末集市,邻居院子"),
    places_zh=_list("初霜之前,下雨的周日,停电的晚上,春节前夕,梅雨季节,客人来访时,孩子放假时,搬家以后,海拔很高处,水质偏硬时,天气转凉后,赶集那天"),
    causes_zh=_list("烤箱门开得太早,泥土一直没有干透,秤上显示的是盎司,清漆需要两天,酵母已经过期,拉线磨到了车架,盐放得太晚,盖子没有盖紧,夜里湿度下降,胶水是粘纸用的"),
    fillers_zh=_list("整个下午都花在这上面,气味比钟表更准,先在桌上铺好报纸,放一个晚上不要动它,照片挂在走廊里,书上的说法不一样,剩下的放进冰箱,明年要早一周开始"),
)  # fmt: skip

_EVERYDAY = (
    "able across answer around because better between bring careful certain change clear close common compare "
    "complete consider corner count decide deliver describe different direct easy effort empty enough example "
    "expect explain extra fact fair familiar figure final follow friend front full gentle glad group grow half "
    "happen hard heavy help idea important inside interest join kind large later learn level likely list little "
    "local long main matter maybe middle minute moment morning narrow near need next normal notice number often "
    "open order original outside page paper part pass pattern person place plain plan point possible practice "
    "present problem process promise question quick ready reason record regular remain rest result right rough "
    "round rule second sense separate serious short side simple single small sort sound special stage start still "
    "strange strong subject sudden support sure surface table task term thin thing thought touch trouble true "
    "understand usual value view visit wait watch week whole wide wish wonder word work world wrong year"
)
EVERYDAY = tuple(_EVERYDAY.split())
