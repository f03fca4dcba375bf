import { API_WORD, type CapabilitySamples } from '../../../testing/capability-samples.ts'
import { PIXEL, sendFiles } from '../../../testing/files.ts'
import type { Body } from '../../../testing/user.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly emoji_code: string
  }
}

const FOR_EVERYBODY = 'custom emoji are for everybody in the organization'
const NAME = 'sample'

export const samples: CapabilitySamples = {
  async make({ owner }) {
    await sendFiles(owner, `/realm/emoji/${NAME}`, [{ name: 'a.png', content: PIXEL, type: 'image/png' }])
    const { emoji } = await owner.call('GET', '/realm/emoji')
    // The answer was checked against its declaration.
    return { emoji_code: Object.keys(emoji as Body)[0] ?? '' }
  },
  names: { emoji_code: 'emoji' },
  namesNothing: {
    'uploadCustomEmoji.emoji_name': FOR_EVERYBODY,
    emoji_name: FOR_EVERYBODY,
    reaction_type: API_WORD,
  },
  hidden: {
    emoji: {
      sample: 'emoji_code',
      of: 'another organization',
      beside: { emoji_name: NAME, reaction_type: 'realm_emoji' },
    },
  },
}
