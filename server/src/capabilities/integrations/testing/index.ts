import { API_WORD, type CapabilitySamples, SECRET } from '../../../testing/capability-samples.ts'

export const samples: CapabilitySamples = {
  inputs: {
    receiveWebhook: () => ({ integration_name: 'json' }),
    getSampleRequest: () => ({ integration_name: 'json' }),
  },
  namesNothing: {
    integration_name: API_WORD,
    api_key: SECRET,
    secret: SECRET,
    only_events: API_WORD,
    exclude_events: API_WORD,
  },
}
