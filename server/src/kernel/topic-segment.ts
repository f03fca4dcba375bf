/** Appends a space to `.` and `..`, which browsers resolve even as `%2e`. Code that parses the path trims the space. */
export function topicSegment(topic: string): string {
  return encodeURIComponent(topic.toWellFormed()).replace(/^\.\.?$/, '$&%20')
}
