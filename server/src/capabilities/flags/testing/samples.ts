import { API_WORD, type CapabilitySamples } from '../../../testing/capability-samples.ts'

export const samples: CapabilitySamples = {
  values: () => ({ flag: 'starred' }),
  inputs: {
    updateMessageFlagsForNarrow: () => ({ narrow: [{ operator: 'channel', operand: 'general', negated: false }] }),
    markTopicAsRead: () => ({ topic_name: 'hello' }),
  },
  namesNothing: { flag: API_WORD },
}
