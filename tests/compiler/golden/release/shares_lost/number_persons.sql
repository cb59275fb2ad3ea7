/* kanon: verify what the values of weight lose */
WITH entries AS (
  SELECT
    m0."level_1" AS qi_0,
    m1."level_2" AS qi_1,
    s."patient_id" AS person,
    1 AS n
  FROM "warehouse"."main"."patients" AS s
  JOIN "kanon_map_age" AS m0
    ON s."age" IS NOT DISTINCT FROM m0."level_0"
  JOIN "kanon_map_zip" AS m1
    ON s."zip" IS NOT DISTINCT FROM m1."level_0"
), classes AS (
  SELECT
    v.qi_0,
    v.qi_1,
    CAST(SUM(v.n) AS BIGINT) AS row_count,
    COALESCE(COUNT(DISTINCT v.person) < 5, TRUE) AS violating
  FROM entries AS v
  GROUP BY
    v.qi_0,
    v.qi_1
), satisfying AS (
  SELECT
    c.qi_0,
    c.qi_1,
    c.row_count
  FROM classes AS c
  WHERE
    NOT c.violating
), kept AS (
  SELECT
    CASE
      WHEN ISNAN(s."weight")
      THEN CAST('nan' AS DOUBLE)
      WHEN s."weight" = 0
      THEN CAST(0 AS DOUBLE)
      ELSE s."weight"
    END AS ground,
    COUNT(*) AS n
  FROM "warehouse"."main"."patients" AS s
  JOIN "kanon_map_age" AS m0
    ON s."age" IS NOT DISTINCT FROM m0."level_0"
  JOIN "kanon_map_zip" AS m1
    ON s."zip" IS NOT DISTINCT FROM m1."level_0"
  JOIN satisfying AS c
    ON m0."level_1" IS NOT DISTINCT FROM c.qi_0
    AND m1."level_2" IS NOT DISTINCT FROM c.qi_1
  GROUP BY
    CASE
      WHEN ISNAN(s."weight")
      THEN CAST('nan' AS DOUBLE)
      WHEN s."weight" = 0
      THEN CAST(0 AS DOUBLE)
      ELSE s."weight"
    END
)
SELECT
  a.n AS row_count,
  MAX(a.n - COALESCE(k.n, 0)) AS lost
FROM (
  SELECT
    CASE
      WHEN ISNAN(s."weight")
      THEN CAST('nan' AS DOUBLE)
      WHEN s."weight" = 0
      THEN CAST(0 AS DOUBLE)
      ELSE s."weight"
    END AS ground,
    COUNT(*) AS n
  FROM "warehouse"."main"."patients" AS s
  GROUP BY
    CASE
      WHEN ISNAN(s."weight")
      THEN CAST('nan' AS DOUBLE)
      WHEN s."weight" = 0
      THEN CAST(0 AS DOUBLE)
      ELSE s."weight"
    END
) AS a
LEFT JOIN kept AS k
  ON a.ground IS NOT DISTINCT FROM k.ground
GROUP BY
  a.n
ORDER BY
  a.n
