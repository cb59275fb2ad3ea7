/* kanon: unmapped values of zip */
WITH present AS (
  SELECT
    s."zip" AS ground,
    COUNT(*) AS row_count
  FROM "warehouse"."main"."patients" AS s
  WHERE
    NOT s."zip" IS NULL
  GROUP BY
    s."zip"
), missing AS (
  SELECT
    CAST(p.ground AS TEXT) AS value,
    p.row_count
  FROM present AS p
  LEFT JOIN "kanon_map_zip" AS t
    ON p.ground = t."level_0"
  WHERE
    t."level_2" IS NULL
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
    CAST("level_0" AS TEXT) AS value
  FROM "kanon_map_zip"
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
