/* kanon: class sizes of patients, NULL as a wildcard */
WITH classes AS (
  SELECT
    "age" AS qi_0,
    "zip" AS qi_1,
    (
      "age" IS NULL OR "zip" IS NULL
    ) AS has_null,
    ROW_NUMBER() OVER () AS number,
    COUNT(*) AS row_count
  FROM "warehouse"."main"."patients"
  GROUP BY
    "age",
    "zip"
), paired AS (
  SELECT
    a.number,
    b.row_count AS matching
  FROM classes AS a
  JOIN classes AS b
    ON a.has_null
    AND (
      a.qi_0 = b.qi_0 OR a.qi_0 IS NULL OR b.qi_0 IS NULL
    )
    AND (
      a.qi_1 = b.qi_1 OR a.qi_1 IS NULL OR b.qi_1 IS NULL
    )
  UNION ALL
  SELECT
    a.number,
    b.row_count
  FROM classes AS a
  JOIN classes AS b
    ON NOT a.has_null
    AND b.has_null
    AND (
      a.qi_0 = b.qi_0 OR b.qi_0 IS NULL
    )
    AND (
      a.qi_1 = b.qi_1 OR b.qi_1 IS NULL
    )
  UNION ALL
  SELECT
    number,
    row_count
  FROM classes
  WHERE
    NOT has_null
), sized AS (
  SELECT
    c.number,
    c.row_count,
    CAST(SUM(p.matching) AS BIGINT) AS size
  FROM classes AS c
  JOIN paired AS p
    ON c.number = p.number
  GROUP BY
    c.number,
    c.row_count
)
SELECT
  size,
  COUNT(*) AS classes,
  CAST(SUM(row_count) AS BIGINT) AS row_count
FROM sized
GROUP BY
  size
ORDER BY
  size
