import * as z from 'zod/mini'
import { string } from '../../../kernel/schemas.ts'
import * as forge from './forge.ts'
import { readRepository } from './forge-projects.ts'
import {
  eventHeader,
  headerOf,
  payloadOf,
  readEvent,
  hmacOf,
  isValidHmac,
  type Integration,
  type Readers,
  type ServiceRequest,
} from './requests.ts'
import { lookUpWord, link, quote } from './text.ts'

const review = z.object({
  ...forge.basePayload,
  pull_request: z.object(forge.numberedItem),
  review: z.object({ content: forge.optionalText }),
})

const wikiPayload = z.object({ ...forge.basePayload, action: string, page: string, comment: forge.optionalText })

const WIKI_VERBS: Readonly<Record<string, string>> = { created: 'wrote', edited: 'edited', deleted: 'deleted' }

const READERS: Readers = {
  ...forge.FORGE_READERS,
  pull_request_approved: (request) => readReview(request, 'approved'),
  pull_request_rejected: (request) => readReview(request, 'requested changes in'),
  pull_request_comment: (request) => readReview(request, 'reviewed'),
  repository: readRepository,
  wiki: (request) => {
    const payload = payloadOf(request, wikiPayload)
    const verb = lookUpWord(WIKI_VERBS, payload.action)
    if (verb === undefined) return undefined
    const address = `${payload.repository.html_url}/wiki/${encodeURIComponent(payload.page.toWellFormed())}`
    const page = link(payload.page, payload.action === 'deleted' ? undefined : address)
    return {
      topic: forge.repositoryTopic(payload, 'wiki'),
      content: `${forge.actorText(payload)} ${verb} the wiki page ${page}.${quote(payload.comment)}`,
    }
  },
}

function readReview(request: ServiceRequest, verb: string): ReturnType<Readers[string]> {
  const payload = payloadOf(request, review)
  const { pull_request: pull, review: one } = payload
  return {
    topic: forge.pullTopic(payload, pull),
    content: `${forge.actorText(payload)} ${verb} pull request ${link(`#${pull.number} ${pull.title}`, pull.html_url)}.${quote(one.content)}`,
  }
}

/** Gogs and Forgejo send the same payloads with different header names. */
export const integration: Integration = {
  emojiNames: 'github',
  read: (request) =>
    readEvent(READERS, eventHeader(request, 'X-Gitea-Event', 'X-Forgejo-Event', 'X-Gogs-Event'), request),
  isSigned: (request, secret) =>
    ['X-Gitea-Signature', 'X-Forgejo-Signature', 'X-Gogs-Signature'].some((header) =>
      isValidHmac(headerOf(request, header), request.body, secret),
    ),
  sign: (body, secret) => ({ 'x-gitea-signature': hmacOf(body, secret) }),
  sample: { headers: { 'x-gitea-event': 'push' }, body: forge.SAMPLE_PUSH },
}
