/* kanon: example of age */
WITH commonest AS (
  SELECT
    s."age" AS ground_value,
    COUNT(*) AS row_count
  FROM (
    SELECT
      *
    FROM "warehouse"."main"."patients" AS s
    LIMIT 100000
  ) AS s
  WHERE
    NOT s."age" IS NULL
  GROUP BY
    s."age"
  HAVING
    COUNT(DISTINCT s."patient_id") >= 5
  ORDER BY
    row_count DESC,
    ground_value
  LIMIT 1
)
SELECT
  CAST(c.ground_value AS TEXT) AS before,
  CAST(t."level_3" AS TEXT) AS after
FROM commonest AS c
JOIN "kanon_map_age" AS t
  ON c.ground_value IS NOT DISTINCT FROM t."level_0"
