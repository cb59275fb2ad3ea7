/* kanon: top values of a hierarchy */
WITH labels AS (
  SELECT
    CAST(h."it's" AS TEXT) AS label,
    COUNT(*) AS row_count
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS h
  WHERE
    NOT COALESCE(REGEXP_FULL_MATCH(CAST(h."it's" AS TEXT), '[\s\x0b\x1c-\x1f\x{85}\p{Z}]*'), TRUE)
  GROUP BY
    CAST(h."it's" AS TEXT)
)
SELECT
  label,
  row_count,
  COUNT(*) OVER () AS total
FROM labels
ORDER BY
  row_count DESC,
  label
LIMIT $shown
-- $shown = 5
