/* kanon: release age=1, zip=0 */
CREATE VIEW "warehouse"."main"."patients_k5" AS
WITH entries AS (
  SELECT
    m0."level_1" AS qi_0,
    m1."level_0" AS qi_1,
    s."diagnosis" AS value_0,
    1 AS n
  FROM "warehouse"."main"."patients" AS s
  JOIN "warehouse"."main"."kanon_map_age" AS m0
    ON s."age" IS NOT DISTINCT FROM m0."level_0"
  JOIN "warehouse"."main"."kanon_map_zip" AS m1
    ON s."zip" IS NOT DISTINCT FROM m1."level_0"
), source_0 AS (
  SELECT
    s."diagnosis" AS ground,
    s."diagnosis" AS value,
    COUNT(*) AS n,
    CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS mass,
    CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS total
  FROM "warehouse"."main"."patients" AS s
  GROUP BY
    s."diagnosis"
), values_0 AS (
  SELECT
    e.qi_0,
    e.qi_1,
    e.value_0 AS value,
    CAST(SUM(e.n) AS BIGINT) AS n,
    CAST(SUM(e.n) AS BIGINT) AS row_count
  FROM entries AS e
  GROUP BY
    e.qi_0,
    e.qi_1,
    e.value_0
), verdicts AS (
  SELECT
    v.qi_0,
    v.qi_1,
    CAST(SUM(v.n) AS BIGINT) AS row_count,
    COALESCE(SUM(v.n) < 5, TRUE) AS violating
  FROM entries AS v
  GROUP BY
    v.qi_0,
    v.qi_1
  UNION ALL
  SELECT
    v.qi_0,
    v.qi_1,
    0 AS row_count,
    COALESCE(
      SUM(GREATEST(v.n / v.mass - COALESCE(v.source_n / v.source_mass, 0), 0)) FILTER(WHERE
        NOT v.n IS NULL) / MAX(v.levels) > 0.2 + 1e-9,
      TRUE
    ) AS violating
  FROM (
    SELECT
      a.qi_0,
      a.qi_1,
      SUM(a.n) AS n,
      MAX(a.mass) AS mass,
      MAX(k.source_n) AS source_n,
      MAX(k.source_mass) AS source_mass,
      2 AS levels
    FROM (
      SELECT
        a.qi_0,
        a.qi_1,
        a.value,
        a.n,
        SUM(a.n) OVER (PARTITION BY a.qi_0, a.qi_1) AS mass
      FROM values_0 AS a
    ) AS a
    LEFT JOIN (
      SELECT
        b.value,
        t."level_0" AS node,
        b.mass AS source_mass,
        SUM(b.n) OVER (PARTITION BY t."level_0") AS source_n
      FROM source_0 AS b
      JOIN "warehouse"."main"."kanon_nodes_0_diagnosis" AS t
        ON b.ground IS NOT DISTINCT FROM t."level_0"
    ) AS k
      ON a.value IS NOT DISTINCT FROM k.value
    GROUP BY
      a.qi_0,
      a.qi_1,
      k.node
    UNION ALL
    SELECT
      a.qi_0,
      a.qi_1,
      SUM(a.n) AS n,
      MAX(a.mass) AS mass,
      MAX(k.source_n) AS source_n,
      MAX(k.source_mass) AS source_mass,
      2 AS levels
    FROM (
      SELECT
        a.qi_0,
        a.qi_1,
        a.value,
        a.n,
        SUM(a.n) OVER (PARTITION BY a.qi_0, a.qi_1) AS mass
      FROM values_0 AS a
    ) AS a
    LEFT JOIN (
      SELECT
        b.value,
        t."level_1" AS node,
        b.mass AS source_mass,
        SUM(b.n) OVER (PARTITION BY t."level_1") AS source_n
      FROM source_0 AS b
      JOIN "warehouse"."main"."kanon_nodes_0_diagnosis" AS t
        ON b.ground IS NOT DISTINCT FROM t."level_0"
    ) AS k
      ON a.value IS NOT DISTINCT FROM k.value
    GROUP BY
      a.qi_0,
      a.qi_1,
      k.node
  ) AS v
  GROUP BY
    v.qi_0,
    v.qi_1
), classes AS (
  SELECT
    v.qi_0,
    v.qi_1,
    CAST(SUM(v.row_count) AS BIGINT) AS row_count,
    BOOL_OR(CAST(v.violating AS BOOLEAN)) OR COUNT(*) < 2 AS violating
  FROM verdicts AS v
  GROUP BY
    v.qi_0,
    v.qi_1
  HAVING
    SUM(v.row_count) > 0
), violating AS (
  SELECT
    c.qi_0,
    c.qi_1
  FROM classes AS c
  WHERE
    c.violating
)
SELECT
  m0."level_1" AS "age",
  m1."level_0" AS "zip",
  s."diagnosis" AS "diagnosis"
FROM "warehouse"."main"."patients" AS s
JOIN "warehouse"."main"."kanon_map_age" AS m0
  ON s."age" IS NOT DISTINCT FROM m0."level_0"
JOIN "warehouse"."main"."kanon_map_zip" AS m1
  ON s."zip" IS NOT DISTINCT FROM m1."level_0"
ANTI JOIN violating AS c
  ON m0."level_1" IS NOT DISTINCT FROM c.qi_0
  AND m1."level_0" IS NOT DISTINCT FROM c.qi_1
ORDER BY
  1,
  2,
  3
