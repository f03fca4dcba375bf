import type { users } from '@parley/server/contract'
import { computed } from '@preact/signals'
import type { Answer, LookupAnswers, Lookup, NameLookup, RenderingSettings } from '../../kernel/rendering.ts'
import { store } from '../../platform/client.ts'
import { Renderer, type RenderingContext } from '../../platform/rendering.ts'
import { channelNamed, channelById, type Channel } from '../channels/state.ts'
import { groupNamed } from '../groups/state.ts'
import { uploadPreviews } from '../uploads/previews.ts'
import { userNamed, userById } from '../users/state.ts'

const renderingSettings = computed((): RenderingSettings => {
  const known = store()
  return {
    linkifiers: known.read('realm_linkifiers'),
    baseUrl: known.read('realm_url'),
    defaultCodeLanguage: known.read('realm_default_code_block_language'),
    translateEmoticons: known.read('user_settings')['translate_emoticons'] === true,
    imagePreviews: known.read('realm_inline_image_preview'),
  }
})

/** Looks up only what the user can refer to, as the server does. */
const LOOKUP_BY_TYPE: { readonly [Name in Exclude<Lookup, 'uploadPreview'>]: (key: string) => LookupAnswers[Name] } = {
  userByName: (name) => mentionAnswer(userNamed(name)),
  userById: (id) => mentionAnswer(userById(Number(id))),
  groupByName(name) {
    const group = groupNamed(name)
    return group && { id: group.id, name: group.name, isDeactivated: group.deactivated }
  },
  channelByName: (name) => channelAnswer(channelNamed(name)),
  channelById: (id) => channelAnswer(channelById(Number(id))),
  realmEmoji(name) {
    const emoji = Object.values(store().read('realm_emoji')).find((one) => one.name === name && !one.deactivated)
    return emoji && { id: emoji.id, url: emoji.source_url }
  },
}

function mentionAnswer(person: users.User | undefined): LookupAnswers['userById'] {
  return person && { id: person.user_id, full_name: person.full_name, isDeactivated: !person.is_active }
}

function channelAnswer(channel: Channel | undefined): LookupAnswers['channelById'] {
  return channel && { id: channel.stream_id, name: channel.name }
}

async function answerLookups(questions: readonly NameLookup[]): Promise<Answer[]> {
  const paths = questions.filter(({ lookup }) => lookup === 'uploadPreview').map(({ key }) => key)
  const previews = paths.length === 0 ? undefined : await uploadPreviews(paths)
  return questions.map(({ lookup, key }) => ({
    lookup,
    key,
    found: lookup === 'uploadPreview' ? previews?.get(key) : LOOKUP_BY_TYPE[lookup](key),
  }))
}

export const renderingContext: RenderingContext = { settings: () => renderingSettings.value, answers: answerLookups }

export const renderer = new Renderer(renderingContext)
