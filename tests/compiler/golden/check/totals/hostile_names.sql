/* kanon: totals */
SELECT
  COUNT(*) AS row_count,
  COUNT(DISTINCT "per""son") AS persons,
  COUNT(*) - COUNT("per""son") AS without_person
FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --"
