# Builds on Debian, because every build tool has binaries for it; runs on Alpine, because only Node is needed there.
FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
RUN npm ci --ignore-scripts --loglevel=error
COPY . .
# `promptharbor --version` shows it: docker build --build-arg COMMIT="$(git rev-parse HEAD)" .
ARG COMMIT=unknown
RUN npm run --silent build

FROM node:26-alpine AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
# Without optional packages, because those are only for Cloudflare Workers and for applications that use the client.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --loglevel=error

FROM node:26-alpine
ENV NODE_ENV=production PROMPTHARBOR_FORM=image HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
RUN mkdir -m 0700 /data && chown node:node /data && ln -s /app/bin/promptharbor.js /usr/bin/promptharbor
COPY --from=dependencies /app/node_modules node_modules
COPY package.json openapi.json LICENSE ./
COPY bin bin
COPY assets assets
COPY --from=build /app/dist dist
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ["/usr/bin/promptharbor", "health"]
ENTRYPOINT ["node", "bin/promptharbor.js"]
CMD ["serve"]
