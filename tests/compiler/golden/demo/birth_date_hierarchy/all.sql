/* Question: where does each day of birth, 1915 to 2025, generalize to? */
/* The very old are few, so they share one value early: what is rare must not force everybody to the top. */
/* Inputs:  none. */
/* Output columns (the levels): birth_date, month, year, five_years, decade, any. */
WITH days AS (
  SELECT
    CAST(day AS DATE) AS day,
    CAST(YEAR(day) AS INT) AS year
  FROM RANGE(CAST('1915-01-01' AS DATE), CAST('2026-01-01' AS DATE), INTERVAL '1' DAY) AS days(day)
)
SELECT
  STRFTIME(day, '%Y-%m-%d') AS birth_date,
  STRFTIME(day, '%Y-%m') AS month,
  CAST(year AS TEXT) AS year,
  CASE
    WHEN year < 1935
    THEN 'before 1935'
    ELSE CONCAT(year // 5 * 5, '-', year // 5 * 5 + 4)
  END AS five_years,
  CASE WHEN year < 1940 THEN 'before 1940' ELSE CONCAT(year // 10 * 10, 's') END AS decade,
  '*' AS "any"
FROM days
ORDER BY
  day
