import type { GatewayAnswer, GatewayRequest } from '../../../platform/gateway.ts'

export { updateChannelToolAccess, updateToolAccess } from './access.ts'

/** Answers a Model Context Protocol request. Loads the SDK lazily, because most servers never need it. */
export async function answerMcp(request: GatewayRequest): Promise<GatewayAnswer> {
  const { answerMessage } = await import('./protocol.ts')
  return answerMessage(request)
}
