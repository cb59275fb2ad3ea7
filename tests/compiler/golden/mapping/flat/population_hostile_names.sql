/* kanon: mapping table of t”; drop table patients; -- */
CREATE TABLE "kanon_map_t""; drop table patients; --" AS
SELECT
  s."t""; drop table patients; --" AS level_0,
  '*' AS level_1
FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
UNION
SELECT
  s."t""; drop table patients; --" AS level_0,
  '*' AS level_1
FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
