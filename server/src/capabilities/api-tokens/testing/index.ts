import { type CapabilitySamples, FUTURE, NEW_NAME, TIME } from '../../../testing/capability-samples.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly api_token_id: number
  }
}

export const samples: CapabilitySamples = {
  async makeOwn(user) {
    const { api_token_id } = await user.call('POST', '/api_tokens', { name: 'Sample' })
    return { api_token_id: api_token_id }
  },
  inputs: { createApiToken: () => ({ expires_at: FUTURE }) },
  names: { api_token_id: 'API token', channel_ids: 'channel' },
  namesNothing: { 'createApiToken.name': NEW_NAME, expires_at: TIME },
  hidden: { 'API token': { sample: 'api_token_id', of: 'the owner' } },
}
