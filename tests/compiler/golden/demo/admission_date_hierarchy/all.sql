/* Question: where does each day of admission, 2023 to 2025, generalize to? */
/* Inputs:  none. */
/* Output columns (the levels): admission_date, month, quarter, year, any. */
SELECT
  STRFTIME(day, '%Y-%m-%d') AS admission_date,
  STRFTIME(day, '%Y-%m') AS month,
  CONCAT(YEAR(day), '-Q', QUARTER(day)) AS quarter,
  CAST(YEAR(day) AS TEXT) AS year,
  '*' AS "any"
FROM RANGE(CAST('2023-01-01' AS DATE), CAST('2026-01-01' AS DATE), INTERVAL '1' DAY) AS days(day)
ORDER BY
  day
