# syntax=docker/dockerfile:1
# Every step is a script of this project that runs without an image too; .ci/image-test runs them so.
ARG BUILD_IMAGE=docker.io/library/maven:3.9-eclipse-temurin-25-noble
ARG RUN_IMAGE=docker.io/library/eclipse-temurin:25-jre-noble

FROM ${BUILD_IMAGE} AS build
WORKDIR /source
COPY . .
RUN --mount=type=cache,target=/root/.m2 docker/build

FROM ${RUN_IMAGE}
LABEL org.opencontainers.image.title="rask-lance-catalog" \
      org.opencontainers.image.description="A REST catalog server for Lance tables"
# The libraries change less often than the catalog, so they are a layer of their own.
COPY --from=build /source/target/dist/lib /opt/catalog/lib
COPY --from=build /source/target/dist/catalog.jar /opt/catalog/
COPY --from=build /source/target/dist/bin /opt/catalog/bin
COPY docker/train docker/prepare /opt/build/
RUN /opt/build/train /opt/catalog && /opt/build/prepare /var/lib/catalog
# A container is reached from outside it, so the server asks for authentication or for the word that there is to be none.
ENV SERVER_ADDRESS=0.0.0.0 \
    MALLOC_ARENA_MAX=2
WORKDIR /var/lib/catalog
USER 65532:0
EXPOSE 2333
# No HEALTHCHECK: what runs containers asks /livez and /readyz itself, and the image has nothing to ask with but another Java.
ENTRYPOINT ["/opt/catalog/bin/catalog"]
CMD ["serve"]
