/* Question: which values does a column of the demo have, below the one top value? */
/* Inputs:  demo_choices; $question: 'sex' or 'race'. */
/* Output columns (the levels): value, any. */
SELECT
  choice AS value,
  '*' AS "any"
FROM demo_choices
WHERE
  question = $question
GROUP BY
  choice
ORDER BY
  choice
-- $question = "sex"
