/* kanon: does the hierarchy list NULL? */
SELECT
  COUNT(*) > 0 AS listed
FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS h
WHERE
  h."a""b" IS NULL
