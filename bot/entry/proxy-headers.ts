/**
 * Beside `Forwarded` and `Via`, what proxies say of who asks them, in lower case. From a caller it shows that a proxy is in between, and proves nothing:
 * anybody can claim it.
 */
export const PROXY_HEADER = /^(?:x-forwarded(?:-|$)|x-original-forwarded-|x-envoy-|fly-client-|cf-|(?:x-real|x-client|x-cluster-client|true-client|fastly-client)-ip$)/
