package io.rask.catalog.architecture;

import static com.tngtech.archunit.core.domain.properties.CanBeAnnotated.Predicates.annotatedWith;
import static com.tngtech.archunit.core.domain.properties.CanBeAnnotated.Predicates.metaAnnotatedWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.conditions.ArchConditions;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.stereotype.Controller;
import org.springframework.web.ErrorResponse;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;

/** What only one package does, and what a controller may do. */
@AnalyzeClasses(packages = Floors.BASE, importOptions = DoNotIncludeTests.class)
class RolesTest {
    private static final String PROBLEM = Floors.BASE + ".problem..";
    private static final String DOOR = Floors.BASE + ".door.Door";

    @ArchTest
    static final ArchRule onlyProblemBuildsProblemBodies = noClasses()
            .that()
            .resideOutsideOfPackage(PROBLEM)
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(ProblemDetail.class, ErrorResponse.class, ErrorResponseException.class)
            .orShould()
            .accessField(MediaType.class, "APPLICATION_PROBLEM_JSON")
            .orShould()
            .callMethod(HttpServletResponse.class, "sendError", int.class)
            .orShould()
            .callMethod(HttpServletResponse.class, "sendError", int.class, String.class)
            .orShould()
            .beMetaAnnotatedWith(ControllerAdvice.class)
            .orShould()
            .beAnnotatedWith(ResponseStatus.class);

    @ArchTest
    static final ArchRule onlyProblemHandlesExceptions = noMethods()
            .that()
            .areDeclaredInClassesThat()
            .resideOutsideOfPackage(PROBLEM)
            .should()
            .beAnnotatedWith(ExceptionHandler.class);

    @ArchTest
    static final ArchRule controllersNeverTouchTheNativeLayerOrRecords = noClasses()
            .that(metaAnnotatedWith(Controller.class))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(Floors.BASE + ".lance..", Floors.BASE + ".record..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule everyRouteDeclaresItsDoor = methods()
            .that()
            .areDeclaredInClassesThat()
            .areMetaAnnotatedWith(Controller.class)
            .and()
            .areMetaAnnotatedWith(RequestMapping.class)
            .should(ArchConditions.be(annotatedWith(DOOR).or(metaAnnotatedWith(DOOR))))
            .allowEmptyShould(true);
}
