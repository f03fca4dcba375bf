import * as forge from './forge.ts'
import {
  eventHeader,
  headerOf,
  payloadOf,
  unsupported,
  type Integration,
  type ServiceMessage,
  type ServiceRequest,
} from './requests.ts'
import { isHmac } from './signatures.ts'
import { known } from './text.ts'

const EVENTS: Readonly<Record<string, (request: ServiceRequest) => ServiceMessage | undefined>> = {
  push: (request) => forge.readPush(payloadOf(request, forge.push)),
  pull_request: (request) => forge.readPull(payloadOf(request, forge.pullRequest)),
  issues: (request) => forge.readIssue(payloadOf(request, forge.issue)),
  issue_comment: (request) => forge.readIssueComment(payloadOf(request, forge.issueComment)),
  create: (request) => forge.readReference(payloadOf(request, forge.reference), 'created'),
  delete: (request) => forge.readReference(payloadOf(request, forge.reference), 'deleted'),
  release: (request) => forge.readRelease(payloadOf(request, forge.release)),
  fork: (request) => forge.readFork(payloadOf(request, forge.fork)),
}

/** Forgejo sends the same. */
export const gitea: Integration = {
  read(request) {
    const event = eventHeader(request, 'X-Gitea-Event')
    const read = known(EVENTS, event)
    if (read === undefined) throw unsupported(request, event)
    const message = read(request)
    return message && { ...message, event }
  },
  isSigned: (request, secret) => isHmac(headerOf(request, 'X-Gitea-Signature'), request.body, secret),
}
