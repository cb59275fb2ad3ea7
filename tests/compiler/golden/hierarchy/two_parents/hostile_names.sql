/* kanon: labels of a hierarchy with two parents */
WITH pairs AS (
  SELECT
    CAST(h."select" AS TEXT) AS label,
    CAST(h."it's" AS TEXT) AS parent
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS h
  WHERE
    NOT COALESCE(REGEXP_FULL_MATCH(CAST(h."select" AS TEXT), '[\s\x0b\x1c-\x1f\x{85}\p{Z}]*'), TRUE)
    AND NOT COALESCE(REGEXP_FULL_MATCH(CAST(h."it's" AS TEXT), '[\s\x0b\x1c-\x1f\x{85}\p{Z}]*'), TRUE)
), split AS (
  SELECT
    label,
    MIN(parent) AS parent,
    MAX(parent) AS other_parent
  FROM pairs
  GROUP BY
    label
  HAVING
    MIN(parent) <> MAX(parent)
)
SELECT
  label,
  parent,
  other_parent,
  COUNT(*) OVER () AS total
FROM split
ORDER BY
  label
LIMIT $shown
-- $shown = 5
