// Separate from the schemas, so that the dashboard can import these without TypeBox.

/** `canceled`: it still waited when the webhook was disabled. */
export const deliveryStates = ['pending', 'delivered', 'failed', 'canceled'] as const;
export type DeliveryState = (typeof deliveryStates)[number];
