/* kanon: repeated ground values of a hierarchy */
WITH repeated AS (
  SELECT
    h."a""b" AS ground,
    COUNT(*) AS row_count
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS h
  GROUP BY
    h."a""b"
  HAVING
    COUNT(*) > 1
)
SELECT
  CAST(ground AS TEXT) AS ground,
  row_count,
  COUNT(*) OVER () AS total
FROM repeated
ORDER BY
  row_count DESC,
  1
LIMIT $shown
-- $shown = 5
