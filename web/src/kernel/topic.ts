export const RESOLVED_PREFIX = '✔ '

export function isResolved(topic: string): boolean {
  return topic.startsWith(RESOLVED_PREFIX)
}

export function unresolvedTopic(topic: string): string {
  return isResolved(topic) ? topic.slice(RESOLVED_PREFIX.length) : topic
}

/** Whether a rename only marks the topic as resolved or unresolved. */
export function isResolution(before: string | undefined, topic: string | undefined): boolean {
  return before !== undefined && topic !== undefined && unresolvedTopic(before) === unresolvedTopic(topic)
}
