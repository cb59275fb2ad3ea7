/* kanon: verify the persons in every class */
WITH people AS (
  SELECT
    s."patient_id" AS person,
    m0."level_1" AS qi_0,
    m1."level_2" AS qi_1
  FROM "warehouse"."main"."patients" AS s
  JOIN "kanon_map_age" AS m0
    ON s."age" IS NOT DISTINCT FROM m0."level_0"
  JOIN "kanon_map_zip" AS m1
    ON s."zip" IS NOT DISTINCT FROM m1."level_0"
), source_classes AS (
  SELECT
    p.qi_0,
    p.qi_1,
    COUNT(*) AS row_count,
    COUNT(DISTINCT p.person) AS persons
  FROM people AS p
  GROUP BY
    p.qi_0,
    p.qi_1
  HAVING
    NOT (
      COALESCE(COUNT(DISTINCT p.person) < 5, TRUE)
    )
), release_classes AS (
  SELECT
    r."age" AS qi_0,
    r."zip" AS qi_1,
    COUNT(*) AS row_count
  FROM "warehouse"."main"."patients_k5" AS r
  GROUP BY
    r."age",
    r."zip"
)
SELECT
  (
    SELECT
      COUNT(*)
    FROM source_classes AS c
    FULL OUTER JOIN release_classes AS r
      ON c.qi_0 IS NOT DISTINCT FROM r.qi_0 AND c.qi_1 IS NOT DISTINCT FROM r.qi_1
    WHERE
      c.row_count IS DISTINCT FROM r.row_count
  ) AS differing,
  (
    SELECT
      COUNT(DISTINCT p.person)
    FROM people AS p
    JOIN release_classes AS r
      ON p.qi_0 IS NOT DISTINCT FROM r.qi_0 AND p.qi_1 IS NOT DISTINCT FROM r.qi_1
  ) AS persons,
  (
    SELECT
      MIN(persons)
    FROM source_classes
  ) AS smallest
