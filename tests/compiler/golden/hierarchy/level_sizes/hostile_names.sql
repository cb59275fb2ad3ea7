/* kanon: labels per level of a hierarchy */
SELECT
  COUNT(DISTINCT h."a""b") + CAST(COUNT(*) > COUNT(h."a""b") AS BIGINT) AS labels_0,
  COUNT(DISTINCT h."select") + CAST(COUNT(*) > COUNT(h."select") AS BIGINT) AS labels_1,
  COUNT(DISTINCT h."it's") + CAST(COUNT(*) > COUNT(h."it's") AS BIGINT) AS labels_2
FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS h
