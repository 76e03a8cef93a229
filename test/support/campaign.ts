/** Whether a campaign runs the tests. Some tests run for much longer in a campaign than in `npm test`. */
export const isCampaign = process.env.PROMPTHARBOR_CAMPAIGN !== undefined;
