/**
 * Encodes a topic as a path segment. Browsers resolve `.` and `..`, also as `%2e`, so these get a trailing space, which
 * no topic has: readers of the path trim it.
 */
export function topicSegment(topic: string): string {
  return encodeURIComponent(topic.toWellFormed()).replace(/^\.\.?$/, '$&%20')
}
