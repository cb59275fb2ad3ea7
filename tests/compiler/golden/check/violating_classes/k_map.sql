/* kanon: violating classes of patients */
WITH entries AS (
  SELECT
    s."age" AS qi_0,
    s."zip" AS qi_1,
    1 AS n
  FROM "warehouse"."main"."patients" AS s
  WHERE
    NOT COALESCE(CAST(s."age" AS TEXT) = '*' AND CAST(s."zip" AS TEXT) = '*', FALSE)
), population AS (
  SELECT
    s."age" AS qi_0,
    s."zip" AS qi_1,
    1 AS n
  FROM (
    SELECT
      *
    FROM "warehouse"."main"."census"
    WHERE
      admitted >= CAST('2024-01-01' AS DATE) AND ward <> 'A'
  ) AS s
), verdicts AS (
  SELECT
    v.qi_0,
    v.qi_1,
    CAST(SUM(v.n) AS BIGINT) AS row_count,
    FALSE AS violating
  FROM entries AS v
  GROUP BY
    v.qi_0,
    v.qi_1
  UNION ALL
  SELECT
    v.qi_0,
    v.qi_1,
    0 AS row_count,
    COALESCE(SUM(v.n) < 20, TRUE) AS violating
  FROM (
    SELECT
      e.qi_0,
      e.qi_1,
      0 AS n
    FROM entries AS e
    GROUP BY
      e.qi_0,
      e.qi_1
    UNION ALL
    SELECT
      e.qi_0,
      e.qi_1,
      SUM(e.n) AS n
    FROM population AS e
    GROUP BY
      e.qi_0,
      e.qi_1
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
)
SELECT
  CAST(COALESCE(SUM(row_count) FILTER(WHERE
    violating), 0) AS BIGINT) AS outliers,
  COUNT(*) FILTER(WHERE
    violating) AS violating_classes
FROM classes
