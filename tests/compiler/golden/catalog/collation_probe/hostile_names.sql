/* kanon: collations, to be read from the catalog */
CREATE TEMPORARY TABLE "kanon_collations" AS
SELECT
  s."a""b" AS c0
FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
WHERE
  FALSE
