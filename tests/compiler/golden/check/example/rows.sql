/* kanon: example of zip */
WITH commonest AS (
  SELECT
    s."zip" AS ground_value,
    COUNT(*) AS row_count
  FROM (
    SELECT
      *
    FROM "warehouse"."main"."patients" AS s
    LIMIT 100000
  ) AS s
  WHERE
    NOT s."zip" IS NULL
  GROUP BY
    s."zip"
  HAVING
    COUNT(*) >= 5
  ORDER BY
    row_count DESC,
    ground_value
  LIMIT 1
)
SELECT
  CAST(c.ground_value AS TEXT) AS before,
  CAST(t."level_1" AS TEXT) AS after
FROM commonest AS c
JOIN "kanon_map_zip" AS t
  ON c.ground_value IS NOT DISTINCT FROM t."level_0"
