/** The parameters of CSV responses. The client leaves them out, because programs get the same numbers as objects. */
export type CsvParameter = 'format' | 'by';
