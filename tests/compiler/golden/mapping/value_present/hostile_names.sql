/* kanon: is the first cell a value of t”; drop table patients; --? */
SELECT
  COUNT(*) > 0 AS present
FROM (
  SELECT
    1
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --"
  WHERE
    "t""; drop table patients; --" IS NOT DISTINCT FROM TRY_CAST($cell AS TEXT)
    AND NOT TRY_CAST($cell AS TEXT) IS NULL
  LIMIT 1
) AS hit
-- $cell = "it's"
