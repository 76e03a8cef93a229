/** The parameters for CSV, which is for spreadsheets. Programs get the same numbers as objects. */
export type CsvParameter = 'format' | 'by';
