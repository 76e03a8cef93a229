/** `npm run campaign -- failures` runs some tests for much longer than `npm test` does. */
export const isCampaign = process.env.PROMPTHARBOR_CAMPAIGN !== undefined;
