SELECT
  v.class,
  COUNT(v.n) = 0
  OR COALESCE(MAX(v.n / NULLIF(v.largest, 0)), 0) / SUM(v.n) > 1 + 1e-9
  OR BOOL_OR(CAST(COALESCE(v.largest = 0 AND NOT v.n IS NULL, FALSE) AS BOOLEAN)) AS violating
FROM (
  SELECT
    a.*,
    CASE CASE
        WHEN ISFINITE(b.ground)
        THEN CAST(b.ground AT TIME ZONE 'UTC' AS TEXT) || '+00'
        ELSE CAST(b.ground AS TEXT)
      END
      WHEN 'HIV'
      THEN 0.2
      WHEN 'it''s */ drop table x; --'
      THEN 0
    END AS largest
  FROM values_0 AS a
  LEFT JOIN source_0 AS b
    ON a.value IS NOT DISTINCT FROM b.value
) AS v
GROUP BY
  v.class
