import * as z from 'zod/mini'
import { string } from '../../../kernel/schemas.ts'
import { basePayload, formerText, repositoryTopic, actorText } from './forge.ts'
import { payloadOf, type ServiceMessage, type ServiceRequest } from './requests.ts'
import { isGiven, lookUpWord, link, insertIntoPhrase, plainText } from './text.ts'

const optionalOwner = z.optional(z.nullable(z.object({ login: string })))
const repositoryChange = z.object({
  ...basePayload,
  action: string,
  changes: z.optional(
    z.nullable(
      z.object({
        repository: z.optional(z.nullable(z.object({ name: formerText }))),
        owner: z.optional(
          z.nullable(
            z.object({ from: z.optional(z.nullable(z.object({ user: optionalOwner, organization: optionalOwner }))) }),
          ),
        ),
      }),
    ),
  ),
})

const ACTION_VERBS: Readonly<Record<string, string>> = {
  created: 'created',
  deleted: 'deleted',
  archived: 'archived',
  unarchived: 'unarchived',
  renamed: 'renamed',
  transferred: 'transferred',
  publicized: 'made … public',
  privatized: 'made … private',
}

export function readRepository(request: ServiceRequest): ServiceMessage | undefined {
  return repositoryMessage(payloadOf(request, repositoryChange))
}

export function repositoryMessage(payload: z.output<typeof repositoryChange>): ServiceMessage | undefined {
  const { action, changes, repository: one } = payload
  const verb = lookUpWord(ACTION_VERBS, action)
  if (verb === undefined) return undefined
  const change = insertIntoPhrase(verb, `the repository ${link(one.full_name, one.html_url)}`)
  const name = changes?.repository?.name?.from
  const giver = changes?.owner?.from?.user?.login ?? changes?.owner?.from?.organization?.login
  const was = action === 'renamed' && isGiven(name) ? `, which was called ${plainText(name)}` : ''
  const from = action === 'transferred' && isGiven(giver) ? ` from ${plainText(giver)}` : ''
  return { topic: repositoryTopic(payload), content: `${actorText(payload)} ${change}${was}${from}.` }
}
