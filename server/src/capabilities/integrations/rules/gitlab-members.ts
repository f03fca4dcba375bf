import * as z from 'zod/mini'
import { boolean, string } from '../../../kernel/schemas.ts'
import { payloadOf, type Readers } from './requests.ts'
import { code, isGiven, lookUpWord, link, toSingleLine, plainText } from './text.ts'

const optionalText = z.optional(z.nullable(string))
const project = z.object({ name: string, web_url: string })

const member = z.object({ group_name: string, user_name: string, event_name: string, group_access: optionalText })
const accessToken = z.object({
  project: z.optional(z.nullable(project)),
  group: z.optional(z.nullable(z.object({ group_name: string }))),
  object_attributes: z.object({ name: string, expires_at: optionalText }),
})
const featureFlag = z.object({
  project,
  user: z.object({ name: string }),
  object_attributes: z.object({ name: string, description: optionalText, active: boolean }),
})

const MEMBER_VERBS: Readonly<Record<string, string>> = {
  user_add_to_group: 'joined',
  user_remove_from_group: 'left',
  user_update_for_group: 'has a different role in',
  user_access_request_to_group: 'asked to join',
  user_access_request_denied_for_group: 'was denied access to',
}

export const MEMBER_READERS: Readers = {
  member: (request) => {
    const { group_name, user_name, event_name, group_access } = payloadOf(request, member)
    const verb = lookUpWord(MEMBER_VERBS, event_name)
    if (verb === undefined) return undefined
    const as = isGiven(group_access) && event_name !== 'user_remove_from_group' ? ` (${plainText(group_access)})` : ''
    return {
      topic: toSingleLine(group_name),
      content: `${plainText(user_name)} ${verb} the group ${plainText(group_name)}${as}.`,
    }
  },
  resource_access_token: (request) => {
    const { project: of, group, object_attributes: token } = payloadOf(request, accessToken)
    const place = of?.name ?? group?.group_name ?? 'GitLab'
    const day = isGiven(token.expires_at) ? ` on ${plainText(token.expires_at)}` : ' soon'
    return { topic: toSingleLine(place), content: `⏳ The access token ${code(token.name)} expires${day}.` }
  },
  feature_flag: (request) => {
    const { project: of, user, object_attributes: flag } = payloadOf(request, featureFlag)
    const what = link(flag.name, `${of.web_url}/-/feature_flags`)
    const said = isGiven(flag.description) && flag.description !== '' ? ` (${plainText(flag.description)})` : ''
    const verb = flag.active ? 'switched on' : 'switched off'
    return { topic: toSingleLine(of.name), content: `${plainText(user.name)} ${verb} the feature flag ${what}${said}.` }
  },
}
