/* Question: where does each ZIP code that the demo knows generalize to? One digit is masked per level. */
/* Inputs:  demo_choices. */
/* Output columns (the levels): zip, four_digits, three_digits, two_digits, any. */
SELECT
  choice AS zip,
  CONCAT(LEFT(choice, 4), '*') AS four_digits,
  CONCAT(LEFT(choice, 3), '**') AS three_digits,
  CONCAT(LEFT(choice, 2), '***') AS two_digits,
  '*' AS "any"
FROM demo_choices
WHERE
  question = 'zip'
ORDER BY
  choice
