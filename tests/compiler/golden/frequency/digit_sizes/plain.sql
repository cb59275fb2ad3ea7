/* kanon: sizes of the trie digits of age */
SELECT
  MAX(digit_0) AS largest_0,
  MAX(digit_1) AS largest_1,
  MAX(digit_2) AS largest_2
FROM "kanon_digits_age"
