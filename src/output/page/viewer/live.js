export async function followServer() {}
