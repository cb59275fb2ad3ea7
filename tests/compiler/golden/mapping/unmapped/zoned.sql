/* kanon: unmapped values of seen */
WITH present AS (
  SELECT
    s."seen" AS ground,
    COUNT(*) AS row_count
  FROM "warehouse"."main"."patients" AS s
  WHERE
    NOT s."seen" IS NULL
  GROUP BY
    s."seen"
), missing AS (
  SELECT
    CASE
      WHEN ISFINITE(p.ground)
      THEN CAST(p.ground AT TIME ZONE 'UTC' AS TEXT) || '+00'
      ELSE CAST(p.ground AS TEXT)
    END AS value,
    p.row_count
  FROM present AS p
  LEFT JOIN "kanon_map_seen" AS t
    ON p.ground = t."level_0"
  WHERE
    t."level_1" IS NULL
), shown AS (
  SELECT
    value,
    row_count AS rows_of_value,
    COUNT(*) OVER () AS distinct_values,
    CAST(SUM(row_count) OVER () AS BIGINT) AS row_count
  FROM missing
  ORDER BY
    rows_of_value DESC,
    value
  LIMIT $shown
), ground_values AS (
  SELECT
    CASE
      WHEN ISFINITE("level_0")
      THEN CAST("level_0" AT TIME ZONE 'UTC' AS TEXT) || '+00'
      ELSE CAST("level_0" AS TEXT)
    END AS value
  FROM "kanon_map_seen"
)
SELECT
  s.value,
  s.distinct_values,
  s.row_count,
  COALESCE(BOOL_OR(CAST(TRIM(s.value) = TRIM(g.value) AS BOOLEAN)), FALSE) AS fits_trimmed,
  COALESCE(BOOL_OR(CAST(LTRIM(s.value, '0') = LTRIM(g.value, '0') AS BOOLEAN)), FALSE) AS fits_without_zeros,
  COALESCE(BOOL_OR(CAST(LOWER(s.value) = LOWER(g.value) AS BOOLEAN)), FALSE) AS fits_other_case
FROM shown AS s
LEFT JOIN ground_values AS g
  ON LTRIM(LOWER(TRIM(s.value)), '0') = LTRIM(LOWER(TRIM(g.value)), '0')
GROUP BY
  s.value,
  s.rows_of_value,
  s.distinct_values,
  s.row_count
ORDER BY
  s.rows_of_value DESC,
  s.value
-- $shown = 6
