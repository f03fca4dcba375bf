import type { Output } from '../../../kernel/endpoint.ts'
import type { OpenCall } from '../../../platform/request.ts'
import { hasPublicAccess } from '../../channels/rules/spectators.ts'
import type * as contract from '../contract/index.ts'
import { serverSettings } from '../queries/index.ts'

export async function getServerSettings(call: OpenCall): Promise<Output<typeof contract.getServerSettings>> {
  const isOpen = call.log !== undefined && hasPublicAccess(call.log.organization, call.server)
  return Promise.resolve(serverSettings(call, isOpen))
}
