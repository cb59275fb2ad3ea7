/* kanon: labels of a hierarchy with two parents */
WITH pairs AS (
  SELECT
    CAST(h."decade" AS TEXT) AS label,
    CAST(h."adult" AS TEXT) AS parent
  FROM "warehouse"."main"."age_levels" AS h
  WHERE
    NOT COALESCE(REGEXP_FULL_MATCH(CAST(h."decade" AS TEXT), '[\s\x0b\x1c-\x1f\x{85}\p{Z}]*'), TRUE)
    AND NOT COALESCE(REGEXP_FULL_MATCH(CAST(h."adult" AS TEXT), '[\s\x0b\x1c-\x1f\x{85}\p{Z}]*'), TRUE)
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
